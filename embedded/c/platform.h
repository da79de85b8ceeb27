/* What a machine may want to change about pocket.c. The defaults suit a desktop.
 *
 * The clock and the keyboard are not here: they are the hooks of engine_init().
 *
 * Data that lives elsewhere. Each larger table of pocket.c can be read from another place, such as
 * an AppVar of a calculator or a page of flash, instead of being compiled in: define its name
 * (POCKET_DATA_...) as an expression of type `const uint8_t *` that is valid whenever the engine is
 * called. The bytes are those of the array that the name replaces. For example:
 *
 *     extern const uint8_t *appvar_keys;
 *     #define POCKET_DATA_KEY appvar_keys
 */
#ifndef POCKET_PLATFORM_H
#define POCKET_PLATFORM_H

/* What happens, again and again, after a fault in the engine. Nothing: a watchdog may help. */
#ifndef PLATFORM_TRAP
#define PLATFORM_TRAP() ((void)0)
#endif

#endif
