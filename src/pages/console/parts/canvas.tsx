/** A drawing of ours that fills its place, sharp on any screen. */
import { useEffect, useRef } from 'preact/hooks'
import { type TokenColors, tokenColors } from './chart.ts'

export interface Drawing {
  context: CanvasRenderingContext2D
  /** In px of the page. */
  width: number
  height: number
  /** Height of letters, px. */
  letterPx: number
  colors: TokenColors
}

export interface CanvasProps {
  /** What is seen on it, for those who do not see it. */
  label: string
  draw(drawing: Drawing): void
  /** It is drawn anew when one of them changes, and when its place or the colours do. */
  of: readonly unknown[]
}

export function Canvas({ label, draw, of }: CanvasProps) {
  const place = useRef<HTMLCanvasElement>(null)
  const colors = tokenColors()
  const latest = useRef(() => {})
  latest.current = () => place.current && drawOn(place.current, colors, draw)
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    const watch = new ResizeObserver(() => latest.current())
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  useEffect(() => latest.current(), [colors, ...of])
  return <canvas ref={place} class="canvas" role="img" aria-label={label} />
}

function drawOn(canvas: HTMLCanvasElement, colors: TokenColors, draw: CanvasProps['draw']): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const context = canvas.getContext('2d')
  if (context === null || width === 0 || height === 0) return
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  const style = getComputedStyle(canvas)
  const letterPx = Math.round(Number.parseFloat(style.fontSize) * 0.88)
  context.font = `${letterPx}px ${style.fontFamily}`
  draw({ context, width, height, letterPx, colors })
}
