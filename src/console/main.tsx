/** Starts the console in its page. */
import { render } from 'preact'
import { connect } from './session/connection.ts'
import { followEra } from './session/era.ts'
import { runVirtualTime } from './session/virtual-time.ts'
import { App } from './shell/app.tsx'
import { listenToKeys } from './shell/keyboard.ts'
import { applyPreferences } from './shell/preferences.ts'
import { VIEWS } from './views.ts'

applyPreferences()
listenToKeys()
connect()
followEra()
runVirtualTime()
render(<App views={VIEWS} />, document.body)
