/** Decimals of money: micro-dollars. */
export const MONEY_DECIMALS = 6
