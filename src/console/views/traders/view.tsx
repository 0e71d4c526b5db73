/** The leaderboard, and a page for each trader. */
import { route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { Leaderboard } from './leaderboard.tsx'
import { TraderPage } from './trader-page.tsx'
import { say } from './words.ts'

export const tradersView: View = {
  id: 'traders',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5' +
    'M13 4a3 3 0 0 1 0 5.5M15 12.2c1.9.6 3 2 3 4.3',
  component: Traders,
}

function Traders() {
  const [address] = route.value.path
  return address === undefined ? <Leaderboard /> : <TraderPage key={address} address={address} />
}
