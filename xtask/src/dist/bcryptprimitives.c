/* A library of Windows 10 that wine before version 9 lacks; every Rust program asks it for random bytes. It is only
   made to try our program under such a wine, and is in no archive. */

#include <windows.h>

/* The same function, as Windows called it before. */
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
    return SystemFunction036(bytes, (ULONG)length);
}
