/** A line icon, 20 by 20. */
export function Icon({ lines }: { lines: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={lines} />
    </svg>
  )
}

/** Shared icons, as lines for `Icon`. */
export const ICONS = {
  close: 'M5 5l10 10M15 5L5 15',
  search: 'M13 13l4 4M8.5 14a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11z',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  light:
    'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18' +
    'M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  dark: 'M15.5 12.3A6.5 6.5 0 0 1 7.7 4.5a6.5 6.5 0 1 0 7.8 7.8z',
  system: 'M3 4.5h14v9H3zM7.5 16.5h5M10 13.5v3',
  help: 'M7.5 7.6c0-3.4 5.2-3.2 5.2 0 0 2-2.6 2.1-2.6 4.4M10.1 15v.5',
  play: 'M6 4l10 6-10 6z',
  pause: 'M7 4v12M13 4v12',
  step: 'M5 4l8 6-8 6zM15.5 4v12',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  chart: 'M3 17V3M3 17h14M6.5 13.5v-5M10 12V6M13.5 14V9',
  drive: 'M3 10a7 7 0 1 1 14 0M10 10l3.5-3.5M5 15.5h10',
  traffic: 'M4 6h12M13 3l3 3-3 3M16 14H4M7 11l-3 3 3 3',
  trouble: 'M10 3l7.5 13.5h-15zM10 8.5v3.5M10 14.3v.4',
  sandboxes: 'M3 6.5l7-3.5 7 3.5-7 3.5zM3 6.5V14l7 3.5 7-3.5V6.5M10 10v7.5',
  conformance: 'M4 4h12v12H4zM7 10l2.2 2.2L13.5 8',
  papers: 'M5 3h7l3.5 3.5V17H5zM12 3v3.5h3.5M7.5 10.5h5M7.5 13.5h5',
  demo: 'M3 4h14v9.5H3zM8.5 6.8l4 2.2-4 2.2zM7 17h6M10 13.5V17',
} as const
