/** What a view is. Each has a folder in `views` and a line in `views.ts`. */
import type { ComponentType } from 'preact'

export interface View {
  /** In its address: `#/market`. */
  id: string
  /** Under which heading of the navigation it stands. */
  group: ViewGroup
  /** In the language that is shown. */
  title(): string
  /** What one does there, for the palette and for whoever hovers. */
  about(): string
  /** Lines of an icon of 20 by 20, as the `d` of an SVG path. */
  icon: string
  component: ComponentType
  /** Whether it is there to change things: read-only guests do not see it. */
  isChanging?: boolean
  /** Whether it has the whole window, without navigation and head. */
  isFullScreen?: boolean
}

export type ViewGroup = 'market' | 'control' | 'debug' | 'reference'
