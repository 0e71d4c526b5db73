/** What the declarations say of themselves: each operation, and what each permission opens. */
import { PERMISSIONS } from '../../contract/actions.ts'
import { CHANNELS, OPERATIONS } from '../../contract/index.ts'
import { isSafeToCall } from '../derived/example-requests.ts'
import { byAccess, byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** Each operation answers what it declares; of those that change something cases tell. */
export const OPERATION_REQUIREMENTS: readonly Requirement[] = OPERATIONS.filter(
  (operation) => isSafeToCall(operation) && !operation.source.startsWith('not in the contract'),
).flatMap(({ id, method, path, source, title }) =>
  requirementsOfSection(sectionOf(source), {
    [`operation.${id}`]: byAnswers(`${method} ${path} answers as declared: ${title}.`, id),
  }),
)

const SECTION = 'Endpoints: Action map'

/** What each permission opens, and what the action map says besides. */
export const PERMISSION_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection(
    SECTION,
    Object.fromEntries(
      PERMISSIONS.map((name) => {
        const opened = openedBy(name)
        const text = `${name} is required by ${opened.join(' and ')}, and by nothing else.`
        return [idOf(name), byAccess(text, ...opened)]
      }),
    ),
  ),
  ...requirementsOfSection(SECTION, {
    'action.infoIsOne':
      'With HL_INFO every type of POST /info is allowed; no type needs another permission.',
    'action.reserved': 'Reserved actions can be named in a level and grant nothing.',
  }),
]

/** Ids of the operations and channels that ask for a permission. */
function openedBy(name: string): string[] {
  return [...OPERATIONS, ...CHANNELS]
    .filter(({ access }) => access.kind === 'permission' && access.name === name)
    .map(({ id }) => id)
}

/** `action.HL_FILLS`; `permission.FULL_DEPTH` of a permission that no level can name. */
function idOf(name: string): string {
  return name.startsWith('HL_') ? `action.${name}` : `permission.${name.split(':').at(-1)}`
}

/** The section of a source: `Action map` of `Action map, Info proxy; the record from …`. */
function sectionOf(source: string): string {
  return `Endpoints: ${source.split(/;|, (?=[A-Z])/)[0]}`
}
