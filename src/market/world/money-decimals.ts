/** Decimals of money: micro-dollars. */
export const MONEY_DECIMALS = 6

/** Most money, of one sum, that is exact with them: dollars, or whatever prices are in. */
export const MOST_EXACT = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** MONEY_DECIMALS)
