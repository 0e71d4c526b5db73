/** A hash by the runtime: one is computed for every frame that is sent. */

/** The used part: the types of the package are built without those of Bun. */
declare const Bun: { hash: { xxHash32(text: string, seed: number): number } }

/** xxHash32 of a text in UTF-8. */
export const textHash = (text: string, seed: number): number => Bun.hash.xxHash32(text, seed)
