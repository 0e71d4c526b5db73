/** A drawing of lines, 20 by 20. */
export function Icon({ lines }: { lines: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={lines} />
    </svg>
  )
}
