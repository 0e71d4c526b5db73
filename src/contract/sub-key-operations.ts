/**
 * Operations whose paths the contract leaves open. They are the control plane's, and are served
 * here only where a question says so.
 */

import type { Operation } from './operation.ts'
import { changeSubKey } from './sub-keys/change-sub-key.ts'
import { createSubKey } from './sub-keys/create-sub-key.ts'
import { deleteSubKey } from './sub-keys/delete-sub-key.ts'
import { getSubKey } from './sub-keys/get-sub-key.ts'
import { listSubKeys } from './sub-keys/list-sub-keys.ts'

export const SUB_KEY_OPERATIONS: readonly Operation[] = [
  listSubKeys,
  createSubKey,
  getSubKey,
  changeSubKey,
  deleteSubKey,
]
