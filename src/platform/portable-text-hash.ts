/** The text hash without Bun, as in a browser. */
import { xxHash32 } from 'js-xxhash'

/** xxHash32 of a text in UTF-8. */
export const textHash = (text: string, seed: number): number => xxHash32(text, seed)
