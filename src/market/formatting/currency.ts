/** Tenths of a yuan to the dollar. A fixed rate: no tape has one. */
export const CNY_TENTHS = 71n
