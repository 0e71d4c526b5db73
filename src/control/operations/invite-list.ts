import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { InviteView, inviteView } from '../key-records.ts'

export const inviteList = controlOperation({
  id: 'invite.list',
  method: 'GET',
  path: '/sandboxes/:id/invites',
  title: 'All invite tokens, with the distributors they have made',
  data: Type.Array(InviteView),
  answer: (_, { sandbox }) => [...sandbox().tenancy.invites.values()].map(inviteView),
})
