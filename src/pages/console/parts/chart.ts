/** A chart of `lightweight-charts` in the colours and the time zone of the console. */

import {
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  type DeepPartial,
  type IChartApi,
} from 'lightweight-charts'
import { useEffect, useRef } from 'preact/hooks'
import { isDark } from '../shell/preferences.ts'

/**
 * A chart in an element. `make` adds its series and may return a callback for colour changes; both
 * receive the colours.
 */
export function useChart(
  make: (chart: IChartApi, colors: TokenColors) => (colors: TokenColors) => void,
  options: DeepPartial<ChartOptions> = {},
) {
  const place = useRef<HTMLDivElement>(null)
  const made = useRef<{ chart: IChartApi; paint: (colors: TokenColors) => void } | null>(null)
  const colors = tokenColors()
  useEffect(() => {
    if (place.current === null) return undefined
    const chart = createChart(place.current, { ...baseOptions(colors), ...options })
    made.current = { chart, paint: make(chart, colors) }
    return () => {
      made.current = null
      chart.remove()
    }
  }, [])
  useEffect(() => {
    made.current?.chart.applyOptions(colorOptions(colors))
    made.current?.paint(colors)
  }, [colors])
  return { place, chart: () => made.current?.chart ?? null }
}

function baseOptions(colors: TokenColors): DeepPartial<ChartOptions> {
  const { layout, ...rest } = colorOptions(colors)
  const letters = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return {
    ...rest,
    autoSize: true,
    layout: {
      ...layout,
      // Its licence notice is in the help; the logo writes a style sheet into the page.
      attributionLogo: false,
      fontSize: Math.round(letters * 0.88),
      fontFamily: getComputedStyle(document.body).fontFamily,
    },
    crosshair: { mode: CrosshairMode.Normal },
    handleScale: { axisPressedMouseMove: { time: true, price: true } },
  }
}

function colorOptions(colors: TokenColors): DeepPartial<ChartOptions> {
  return {
    layout: {
      background: { type: ColorType.Solid, color: colors.panel },
      textColor: colors.faint,
      panes: { separatorColor: colors.line },
    },
    grid: { vertLines: { color: colors.line }, horzLines: { color: colors.line } },
    rightPriceScale: { borderColor: colors.line, entireTextOnly: true },
    timeScale: {
      borderColor: colors.line,
      timeVisible: true,
      secondsVisible: false,
    },
  }
}

/** Colours of the style sheet, for canvases. */
export type TokenColors = Readonly<Record<(typeof NAMES)[number], string>>

const NAMES = [
  'ground',
  'panel',
  'line',
  'text',
  'faint',
  'accent',
  'up',
  'down',
  'warn',
  'up-ground',
  'down-ground',
  'accent-ground',
] as const

const known = new Map<boolean, TokenColors>()

/** Present colours; a component that reads them is redrawn when they change. */
export function tokenColors(): TokenColors {
  const dark = isDark()
  const colors = known.get(dark) ?? readColors(dark)
  known.set(dark, colors)
  return colors
}

/** As `rgb(…)`, which all drawing code parses. */
function readColors(dark: boolean): TokenColors {
  const probe = document.createElement('span')
  probe.style.colorScheme = dark ? 'dark' : 'light'
  document.body.append(probe)
  const colors = NAMES.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colors)
}

/** The same colour with an alpha. */
export function withAlpha(color: string, alpha: number): string {
  const parts = color.match(/[\d.]+/g) ?? []
  return `rgba(${parts.slice(0, 3).join(', ')}, ${alpha})`
}
