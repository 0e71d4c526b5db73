/** All requirements of the contract, sentence by sentence, each with an id. */
import { PERMISSIONS } from '../contract/actions.ts'
import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import { isSafeToCall } from './derived/tested-operation.ts'
import { AUTHENTICATION_REQUIREMENTS } from './groups/authentication.ts'
import { COIN_REQUIREMENTS } from './groups/coin.ts'
import { CONTENT_REQUIREMENTS } from './groups/content.ts'
import { DISTRIBUTOR_REQUIREMENTS } from './groups/distributor/requirements.ts'
import { ENVELOPE_REQUIREMENTS } from './groups/envelopes.ts'
import { ERROR_REQUIREMENTS } from './groups/errors.ts'
import { FUTURES_REQUIREMENTS } from './groups/futures/requirements.ts'
import { INDEX_REQUIREMENTS } from './groups/indexes.ts'
import { INDICATOR_REQUIREMENTS } from './groups/indicator.ts'
import { LIMIT_REQUIREMENTS } from './groups/limits.ts'
import { MIX_REQUIREMENTS } from './groups/mix.ts'
import { PERPDEX_REQUIREMENTS } from './groups/perpdex/requirements.ts'
import { SIGNAL_REQUIREMENTS } from './groups/signal/market-signals.ts'
import { SOCKET_REQUIREMENTS } from './groups/sockets/requirements.ts'
import { STOCK_REQUIREMENTS } from './groups/stock.ts'
import {
  type Aspect,
  byAccess,
  byAnswers,
  type Requirement,
  requirementsOfSection,
} from './requirement.ts'

// Requirements by the declarations: each operation, and each permission.

/** Each operation answers as declared; those with changes have handwritten cases. */
const OPERATION_REQUIREMENTS: readonly Requirement[] = OPERATIONS.filter(
  (operation) => isSafeToCall(operation) && !operation.source.startsWith('not in the contract'),
).flatMap(({ id, method, path, source, title }) =>
  requirementsOfSection(sectionOf(source), {
    [`operation.${id}`]: byAnswers(`${method} ${path} answers as declared: ${title}.`, id),
  }),
)

const SECTION = 'Endpoints: Action map'

/** Operations of each permission, and further sentences of the action map. */
const PERMISSION_REQUIREMENTS: readonly Requirement[] = [
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

/** Ids of the operations and channels that need a permission. */
function openedBy(name: string): string[] {
  return [...OPERATIONS, ...CHANNELS]
    .filter(({ access }) => access.kind === 'permission' && access.name === name)
    .map(({ id }) => id)
}

/** `action.HL_FILLS`; `permission.FULL_DEPTH` for a permission outside of levels. */
function idOf(name: string): string {
  return name.startsWith('HL_') ? `action.${name}` : `permission.${name.split(':').at(-1)}`
}

/** The section of a source: `Action map` of `Action map, Info proxy; the record from …`. */
function sectionOf(source: string): string {
  return `Endpoints: ${source.split(/;|, (?=[A-Z])/)[0]}`
}

/** General ones first, then by group. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...ENVELOPE_REQUIREMENTS,
  ...AUTHENTICATION_REQUIREMENTS,
  ...ERROR_REQUIREMENTS,
  ...LIMIT_REQUIREMENTS,
  ...DISTRIBUTOR_REQUIREMENTS,
  ...PERMISSION_REQUIREMENTS,
  ...OPERATION_REQUIREMENTS,
  ...STOCK_REQUIREMENTS,
  ...FUTURES_REQUIREMENTS,
  ...INDEX_REQUIREMENTS,
  ...COIN_REQUIREMENTS,
  ...MIX_REQUIREMENTS,
  ...SIGNAL_REQUIREMENTS,
  ...CONTENT_REQUIREMENTS,
  ...INDICATOR_REQUIREMENTS,
  ...PERPDEX_REQUIREMENTS,
  ...SOCKET_REQUIREMENTS,
]

/**
 * Ids of the requirements checked by a derived case of an operation or channel in one aspect, for
 * its `checks`.
 */
export function requirementsOf(id: string, respect: Aspect): string[] {
  return REQUIREMENTS.filter(
    ({ derived }) => derived?.respect === respect && derived.of.includes(id),
  ).map((requirement) => requirement.id)
}
