/** Files loaded by pages: scripts, style sheets and the icon, as text. */
// @ts-expect-error: read as text it has no types
import home from './browser/home.js' with { type: 'text' }
// @ts-expect-error: as above
import icon from './browser/icon.svg' with { type: 'text' }
// @ts-expect-error: as above
import operationsStyle from './browser/operations.css' with { type: 'text' }
// @ts-expect-error: as above
import operations from './browser/operations.js' with { type: 'text' }
// @ts-expect-error: as above
import search from './browser/search.js' with { type: 'text' }
// @ts-expect-error: as above
import style from './browser/style.css' with { type: 'text' }

export const PAGE_FILES: Readonly<Record<string, string>> = {
  'home.js': home,
  'icon.svg': icon,
  'search.js': search,
  'style.css': style,
  'operations.css': operationsStyle,
  'operations.js': operations,
}
