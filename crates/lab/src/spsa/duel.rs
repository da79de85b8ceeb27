//! Two processes of the engine, each with its own values.

use super::plan::Plan;
use crate::datagen::duel::Duel;
use crate::datagen::uci::UciPlayer;

/// Starts both and sees that they offer every parameter of the plan.
pub(crate) fn start(
    command: &str,
    hash: usize,
    options: &[String],
    plan: &Plan,
) -> anyhow::Result<Duel<UciPlayer>> {
    let start = || {
        let player = UciPlayer::start(command, hash, options)?;
        for parameter in &plan.parameters {
            anyhow::ensure!(
                player.offers(parameter.name),
                "expected an engine with the option {}, got none: was it built with `--features \
                 tune` from these sources?",
                parameter.name
            );
        }
        Ok(player)
    };
    Ok(Duel::new([start()?, start()?]))
}

/// Gives each player its values.
pub(crate) fn set(
    duel: &mut Duel<UciPlayer>,
    plan: &Plan,
    values: &[Vec<i32>; 2],
) -> anyhow::Result<()> {
    for (player, values) in duel.players_mut().iter_mut().zip(values) {
        for (parameter, value) in plan.parameters.iter().zip(values) {
            player.set_option(parameter.name, &value.to_string())?;
        }
    }
    Ok(())
}
