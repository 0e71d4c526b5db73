/** Raised whenever the same line would get other rows or other facts. */
export const GROWTH_VERSION = '12'
