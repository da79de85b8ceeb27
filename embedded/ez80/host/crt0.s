; Start-up for the emulated eZ80 in Z80 mode: stack at the top of memory, then main.
	.module crt0
	.globl _main
	.area _HEADER (ABS)
	.org 0
	ld sp,#0x0000
	call _main
	halt
	.area _HOME
	.area _CODE
	.area _INITIALIZER
	.area _GSINIT
	.area _GSFINAL
	.area _DATA
	.area _INITIALIZED
	.area _BSS
	.area _HEAP
