/** Files loaded by pages: scripts, style sheets and the icon, as text. */
// @ts-expect-error: read as text it has no types
import home from './browser/home.js' with { type: 'text' }
// @ts-expect-error: as above
import icon from './browser/icon.svg' with { type: 'text' }
// @ts-expect-error: as above
import search from './browser/search.js' with { type: 'text' }
// @ts-expect-error: as above
import style from './browser/style.css' with { type: 'text' }
// @ts-expect-error: as above
import swaggerStyle from './browser/swagger.css' with { type: 'text' }
// @ts-expect-error: as above
import swagger from './browser/swagger.js' with { type: 'text' }

export const PAGE_FILES: Readonly<Record<string, string>> = {
  'home.js': home,
  'icon.svg': icon,
  'search.js': search,
  'style.css': style,
  'swagger.css': swaggerStyle,
  'swagger.js': swagger,
}
