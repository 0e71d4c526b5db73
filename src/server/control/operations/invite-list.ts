import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { InviteView, inviteView } from '../key-records.ts'
import { PageFields, pageOf } from '../page.ts'

export const inviteList = controlOperation({
  id: 'invite.list',
  method: 'GET',
  // Who has one can register a distributor.
  isForGuests: false,
  path: '/sandboxes/:id/invites',
  title: 'All invite tokens, with the distributors that used them',
  params: { query: PageFields },
  data: Type.Array(InviteView),
  answer: ({ query }, { sandbox }) => pageOf(sandbox().tenancy.invites, query, inviteView),
})
