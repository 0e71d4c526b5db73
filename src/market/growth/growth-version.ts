/** Raised whenever the same line would get other rows, or keeps other facts of itself. */
export const GROWTH_VERSION = '8'
