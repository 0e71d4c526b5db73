/** Starts the console in its page. */
import { render } from 'preact'
import { connect } from './session/connection.ts'
import { followEra } from './session/era.ts'
import { acceptGuestLink } from './session/guest.ts'
import { runVirtualTime } from './session/virtual-time.ts'
import { App } from './shell/app.tsx'
import { listenToKeys } from './shell/keyboard.ts'
import { applyPreferences } from './shell/preferences.ts'
import { openDemo } from './views/demo/opening.ts'
import { VIEWS } from './views.ts'

acceptGuestLink()
openDemo()
applyPreferences()
listenToKeys()
connect()
followEra()
runVirtualTime()
render(<App views={VIEWS} />, document.body)
