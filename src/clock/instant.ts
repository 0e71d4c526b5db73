/**
 * Instants of the tape and instants as clients are shown them, told apart by the compiler.
 *
 * Both are whole ms, and both are numbers: what lies between two instants is a plain number. The
 * one becomes the other only here, by the sandbox's shift.
 */
declare const tape: unique symbol
declare const shown: unique symbol

/** An instant in tape time. */
export type TapeMs = number & { readonly [tape]: true }
/** An instant in the time that clients are shown. */
export type ShownMs = number & { readonly [shown]: true }

/** What clients are shown for an instant of the tape. */
export const shownAt = (atMs: TapeMs, shiftMs: number) => (atMs + shiftMs) as ShownMs
/** The instant of the tape for which clients are shown `atMs`. */
export const tapeAt = (atMs: ShownMs, shiftMs: number) => (atMs - shiftMs) as TapeMs

/** A number that is known to be an instant of the tape: read from a file, or computed from one. */
export const tapeMs = (timeMs: number) => timeMs as TapeMs
/** A number that is known to be a time as clients are shown it. */
export const shownMs = (timeMs: number) => timeMs as ShownMs

/** So much later, or earlier when `byMs` is negative; on the same side. */
export const later = <T extends TapeMs | ShownMs>(atMs: T, byMs: number) => (atMs + byMs) as T
