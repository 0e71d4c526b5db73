/** Chinese for `cn`, `tc`, `zh` and the codes 0 and 10 of the content lists; else English. */
export function languageOf(lan: string | number): 'cn' | 'en' {
  return /^(cn|tc|zh.*|0|10)$/i.test(String(lan)) ? 'cn' : 'en'
}
