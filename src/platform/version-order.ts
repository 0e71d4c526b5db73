/** Whether a version such as `1.4.5` is older than another one; a suffix after `-` is ignored. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)]
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

const numbersOf = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number)
