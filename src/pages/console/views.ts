/**
 * The views, in the order of the navigation; the first is where one begins.
 *
 * To add one: write `views/<name>/view.tsx`, which exports a `View`, and list it here. What it says
 * stands in `words.ts` beside it (`wording`, English and Chinese). It asks by `useAsked` and
 * follows channels by `useStream` (`session/asking.ts`), which begin anew with each sandbox, key
 * and restart of the server; what changes something is done by `attempt` (`shell/toasts.ts`). Its
 * records have addresses: `route.value.path` is what comes after the view, `linkTo()` makes one.
 * Keys and commands of the palette are there while it is shown: `useShortcut`, `useCommands`.
 * `parts` has panels, tables and lists, `style/tokens.css` the colours; the rest is in
 * docs/console.md.
 */
import type { View } from './shell/view.ts'
import { conformanceView } from './views/conformance/view.tsx'
import { demoView } from './views/demo/view.tsx'
import { driveView } from './views/drive/view.tsx'
import { indexesView } from './views/indexes/view.tsx'
import { marketView } from './views/market/view.tsx'
import { newsView } from './views/news/view.tsx'
import { papersView } from './views/papers/view.tsx'
import { positionsView } from './views/positions/view.tsx'
import { sandboxesView } from './views/sandboxes/view.tsx'
import { tradersView } from './views/traders/view.tsx'
import { trafficView } from './views/traffic/view.tsx'
import { troubleView } from './views/trouble/view.tsx'
import { whalesView } from './views/whales/view.tsx'

export const VIEWS: readonly View[] = [
  marketView,
  positionsView,
  whalesView,
  tradersView,
  newsView,
  indexesView,
  demoView,
  driveView,
  troubleView,
  sandboxesView,
  trafficView,
  conformanceView,
  papersView,
]
