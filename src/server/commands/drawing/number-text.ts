/** Numbers of scales, as a trader writes them. */

/** Thousands are set apart. */
export function plainText(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 })
}

/** 1.2M. */
export function dollarText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${trimmed(value / 1e9)}B`
  if (size >= 1e6) return `${trimmed(value / 1e6)}M`
  if (size >= 1e3) return `${trimmed(value / 1e3)}k`
  return trimmed(value)
}

const trimmed = (value: number) => String(Number(value.toPrecision(3)))
