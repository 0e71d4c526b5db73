/** A virtualised list: only visible rows exist, so ten thousand scroll like ten. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualListProps<T> {
  /** Label for screen readers. */
  label: string
  rows: readonly T[]
  /** Height of each row, px at the default text size. */
  rowPx: number
  keyOf(row: T): string | number
  children: (row: T, index: number) => ComponentChildren
  /** Key of the selected row; arrows move it, and it is kept in view. */
  picked?: string | number | null
  onPick?: (row: T) => void
  /** Called near the end, to load more. */
  onEnd?: () => void
  /** Whether it stays scrolled to the end while rows are added. */
  followsEnd?: boolean
}

/** Extra rows on each side of the visible ones. */
const SPARE = 8

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { rows, keyOf, children, picked, onPick } = props
  const place = useRef<HTMLDivElement>(null)
  const rowPx = Math.round(props.rowPx * letterScale())
  const { first, last } = useSeenRows(place, props, rowPx)
  const at = rows.findIndex((row) => keyOf(row) === picked)
  const move = (by: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))]
    if (next !== undefined) onPick?.(next)
  }
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }
  useLayoutEffect(() => {
    const { current } = place
    if (current === null || at === -1) return
    const top = at * rowPx
    if (top < current.scrollTop) current.scrollTop = top
    const bottom = top + rowPx - current.clientHeight
    if (bottom > current.scrollTop) current.scrollTop = bottom
  }, [picked])
  return (
    <div
      ref={place}
      class="virtual-list"
      role="listbox"
      aria-label={props.label}
      tabIndex={0}
      data-arrows
      onKeyDown={(event) => {
        const step = steps[event.key]
        if (step === undefined || !onPick) return
        event.preventDefault()
        move(step)
      }}
    >
      <div class="virtual-space" style={{ height: `${rows.length * rowPx}px` }}>
        {rows.slice(first, last).map((row, offset) => {
          const index = first + offset
          const isPicked = index === at
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
            <div
              key={keyOf(row)}
              class={isPicked ? 'virtual-row picked' : 'virtual-row'}
              role="option"
              tabIndex={-1}
              aria-selected={isPicked}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ height: `${rowPx}px`, transform: `translateY(${index * rowPx}px)` }}
              onClick={onPick && (() => onPick(row))}
            >
              {children(row, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Text size relative to the default. */
function letterScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 13
}

function useSeenRows<T>(
  place: { current: HTMLDivElement | null },
  { rows, onEnd, followsEnd }: VirtualListProps<T>,
  rowPx: number,
) {
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    const see = () => {
      setTop(current.scrollTop)
      setHeight(current.clientHeight)
      isAtEnd.current = current.scrollTop + current.clientHeight > current.scrollHeight - rowPx
    }
    const watch = new ResizeObserver(see)
    watch.observe(current)
    current.addEventListener('scroll', see, { passive: true })
    return () => {
      watch.disconnect()
      current.removeEventListener('scroll', see)
    }
  }, [])
  useLayoutEffect(() => {
    const { current } = place
    if (followsEnd && isAtEnd.current && current) current.scrollTop = current.scrollHeight
  }, [rows.length])
  const first = Math.max(0, Math.floor(top / rowPx) - SPARE)
  const last = Math.min(rows.length, Math.ceil((top + height) / rowPx) + SPARE)
  useEffect(() => {
    if (last >= rows.length - SPARE && rows.length > 0) onEnd?.()
  }, [last, rows.length])
  return { first, last }
}
