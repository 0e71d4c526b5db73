/** Whether two lots of bytes are the same; takes the same time wherever they differ. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < one.length; at++) difference |= (one[at] as number) ^ (other[at] as number)
  return difference === 0
}
