/** All operations that sandboxes may serve, and whether one does. */

import { distributorAccess } from './access.ts'
import { OPERATIONS } from './catalogue.ts'
import { C, type Operation, operation } from './operation.ts'
import { operationPath, splitSandboxBase, withCurrentPrefix } from './paths.ts'
import type { Answers } from './questions.ts'
import { NewSubKey, Quota, SubKey, SubKeyPath } from './records/distributor.ts'
import { Limit, OneOf, Type } from './schema.ts'
import { VENUE_OPERATIONS } from './venue.ts'

/**
 * Operations whose paths the contract leaves open. They belong to the control plane, and are served
 * here only by the answer to a question.
 */
const changeSubKey = operation({
  id: 'distributor.changeSubKey',
  method: 'PUT',
  path: '/distributor/sub-keys/:access_key',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Change a sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C('sub key saved'),
  access: distributorAccess,
  params: {
    path: SubKeyPath,
    body: Type.Object({
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'name of its user' }),
      ),
      level: Type.Optional(Type.String({ description: 'a level that exists' })),
      monthly_quota: Type.Optional(Quota),
      status: Type.Optional(OneOf(['active', 'disabled'], 'whether the key is accepted')),
    }),
  },
  data: SubKey,
  changes: true,
  refuses: ['subKey', 'subKeyAbsent'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'disabled', path: { access_key: 'demo-sub' }, body: { status: 'disabled' } }],
  answer: ({ path, body }, _, tenant) => tenant.distributor.changeSubKey(path.access_key, body),
})

const createSubKey = operation({
  id: 'distributor.createSubKey',
  method: 'POST',
  path: '/distributor/sub-keys',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Make a sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C('sub key created'),
  access: distributorAccess,
  params: {
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100, description: 'name of its user' }),
      level: Type.String({ description: 'a level that exists' }),
      monthly_quota: Type.Optional(Quota),
    }),
  },
  data: NewSubKey,
  changes: true,
  refuses: ['subKey'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'a customer', body: { name: 'ann', level: 'basic' } }],
  answer: ({ body }, _, tenant) => tenant.distributor.createSubKey(body),
})

const listSubKeys = operation({
  id: 'distributor.listSubKeys',
  method: 'GET',
  path: '/distributor/sub-keys',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Sub keys',
  source: 'Distributor management, rule 6: not shown',
  envelope: C(),
  access: distributorAccess,
  params: {
    query: Type.Object({
      page: Type.Integer({ minimum: 1, default: 1, description: 'from 1' }),
      page_size: Limit({ default: 20, max: 100 }),
    }),
  },
  data: Type.Array(SubKey),
  refuses: [],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'first page', query: { page: '1' } }],
  answer: ({ query }, _, tenant) => tenant.distributor.subKeys(query.page, query.page_size),
})

const deleteSubKey = operation({
  id: 'distributor.deleteSubKey',
  method: 'DELETE',
  path: '/distributor/sub-keys/:access_key',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'Delete a sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C('sub key deleted', { data: false }),
  access: distributorAccess,
  params: { path: SubKeyPath },
  data: Type.Null(),
  changes: true,
  refuses: ['subKeyAbsent'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'a key', path: { access_key: 'demo-bare' } }],
  answer: ({ path }, _, tenant) => tenant.distributor.deleteSubKey(path.access_key),
})

const getSubKey = operation({
  id: 'distributor.getSubKey',
  method: 'GET',
  path: '/distributor/sub-keys/:access_key',
  servedWhen: { question: 'sub-key-paths', answer: 'mirrored' },
  title: 'A sub key',
  source: 'Distributor management, rule 6: not shown',
  envelope: C(),
  access: distributorAccess,
  params: { path: SubKeyPath },
  data: SubKey,
  refuses: ['subKeyAbsent'],
  assumed: ["The shape is this sandbox's own."],
  examples: [{ name: 'a key', path: { access_key: 'demo-sub' } }],
  answer: ({ path }, _, tenant) => tenant.distributor.subKey(path.access_key),
})

export const SUB_KEY_OPERATIONS: readonly Operation[] = [
  listSubKeys,
  createSubKey,
  getSubKey,
  changeSubKey,
  deleteSubKey,
]

export const SERVED_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS,
  ...SUB_KEY_OPERATIONS,
  ...VENUE_OPERATIONS,
]

/**
 * The path of a request as it is routed, and the sandbox that it names: without the base of that
 * sandbox and a trailing slash, under the documented prefix, and the documented path of an alias.
 */
export function routedPath(fullPath: string): { path: string; sandbox?: string } {
  const split = splitSandboxBase(fullPath)
  const path = withCurrentPrefix(split.path)
  return { ...split, path: ALIASES.get(path) ?? path }
}

const ALIASES: ReadonlyMap<string, string> = new Map(
  SERVED_OPERATIONS.flatMap((operation) =>
    operation.aliases.map((path) => [
      operationPath({ ...operation, path }),
      operationPath(operation),
    ]),
  ),
)

/** Whether a sandbox of that profile, with those answers, serves an operation. */
export function isServed(
  { profile, servedWhen }: Operation,
  own: { profile: 'contract' | 'raw'; answers: Answers },
): boolean {
  if (profile !== undefined && profile !== own.profile) return false
  return servedWhen === undefined || own.answers[servedWhen.question] === servedWhen.answer
}
