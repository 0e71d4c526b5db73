/**
 * Views in navigation order; the first is the start view.
 *
 * A new view is a file `views/<name>/view.tsx` that exports a `View`, and an entry here. Its texts
 * are in its `words.ts` (`wording`, English and Chinese). Requests use `useFetched` and channels
 * `useStream` (`session/asking.ts`), which restart for another sandbox or key and after a restart
 * of the server; changes use `attempt` (`shell/toasts.ts`). Records have addresses:
 * `route.value.path` is the part after the view, `linkTo()` creates a link. Shortcuts and palette
 * commands are active while the view is shown: `useShortcut`, `useCommands`. Panels, tables and
 * lists are in `parts`, colours in `style/tokens.css`; docs/console.md describes the rest.
 */
import type { View } from './shell/route.ts'
import { conformanceView } from './views/conformance/view.tsx'
import { coverageView } from './views/coverage/view.tsx'
import { demoView } from './views/demo/view.tsx'
import { driveView } from './views/drive/view.tsx'
import { indexesView } from './views/indexes/view.tsx'
import { marketView } from './views/market/view.tsx'
import { newsView } from './views/news/view.tsx'
import { papersView } from './views/papers/view.tsx'
import { positionsView } from './views/positions/view.tsx'
import { reconcileView } from './views/reconcile/view.tsx'
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
  coverageView,
  reconcileView,
  conformanceView,
  papersView,
]
