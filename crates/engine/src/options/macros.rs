//! From the entries of `table.rs` to a struct, its default and a table.

/// Declares [`Options`](super::Options) and [`TABLE`](super::TABLE).
macro_rules! options {
    ($($kind:ident $name:literal $field:ident $value:tt: $about:literal
        $($hidden:ident)? $(-> $setting:expr)? $(=> $action:path)?;)*) => {
        /// The current values; a button has none.
        #[derive(Clone, Debug, Eq, PartialEq)]
        pub struct Options {
            $(#[doc = concat!("`", $name, "`: ", $about)]
            pub $field: options!(@type $kind $value),)*
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($field: options!(@default $kind $value),)* }
            }
        }

        /// All options, in the order of the listing.
        pub const TABLE: &[super::Row] = &[$(super::Row {
            name: $name,
            kind: options!(@kind $kind $field $value),
            about: $about,
            hidden: options!(@is_given $($hidden)?),
            action: options!(@optional $($action)?),
            setting: options!(@optional $($setting)?),
        },)*];
    };

    (@type check $value:tt) => { bool };
    (@type spin ($type:ty = $($rest:tt)*)) => { $type };
    (@type text $value:tt) => { String };
    (@type button $value:tt) => { () };

    (@default check ($default:expr)) => { $default };
    (@default spin ($type:ty = $default:expr, $min:expr, $max:expr)) => { $default };
    (@default text ($default:expr)) => { $default.to_owned() };
    (@default button ()) => { () };

    (@kind check $field:ident ($default:expr)) => {
        super::Kind::Check { default: $default, store: |options, value| options.$field = value }
    };
    (@kind spin $field:ident ($type:ty = $default:expr, $min:expr, $max:expr)) => {
        super::Kind::Spin {
            default: $default as i64,
            min: $min as i64,
            max: $max as i64,
            // The bounds fit the type, and only values within them are stored.
            store: |options, value| options.$field = value as $type,
        }
    };
    (@kind text $field:ident ($default:expr)) => {
        super::Kind::Text { default: $default, store: |options, value| options.$field = value }
    };
    (@kind button $field:ident ()) => { super::Kind::Button };

    (@is_given) => { false };
    (@is_given hidden) => { true };

    (@optional) => { None };
    (@optional $given:expr) => { Some($given) };
}

pub(super) use options;
