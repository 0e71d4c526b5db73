/** A curve as small as a word: what matters is whether it rises. */

const WIDTH = 96
const HEIGHT = 22

export function Sparkline({ values }: { values: readonly number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const rises = (values.at(-1) ?? 0) >= (values[0] ?? 0)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * WIDTH
    const y = high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      class={`sparkline ${rises ? 'up' : 'down'}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
