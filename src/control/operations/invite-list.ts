import { Type } from '../../contract/schema.ts'
import { InviteView, inviteView } from '../key-records.ts'
import { controlOperation } from '../operation.ts'

export const inviteList = controlOperation({
  id: 'invite.list',
  method: 'GET',
  path: '/sandboxes/:id/invites',
  title: 'All invite tokens, with whom they have made',
  data: Type.Array(InviteView),
  answer: (_, { sandbox }) => [...sandbox().tenancy.invites.values()].map(inviteView),
})
