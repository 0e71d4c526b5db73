/**
 * Operations whose paths the contract leaves open. They are the control plane's, and are served
 * here only where a question says so.
 */
import { changeSubKey } from './mirrored/change-sub-key.ts'
import { createSubKey } from './mirrored/create-sub-key.ts'
import { deleteSubKey } from './mirrored/delete-sub-key.ts'
import { getSubKey } from './mirrored/get-sub-key.ts'
import { listSubKeys } from './mirrored/list-sub-keys.ts'
import type { Operation } from './operation.ts'

export const MIRRORED: readonly Operation[] = [
  listSubKeys,
  createSubKey,
  getSubKey,
  changeSubKey,
  deleteSubKey,
]
