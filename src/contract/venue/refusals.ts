/** How the venue itself says no. */
import type { Refusal } from '../refusal.ts'

interface VenueRefusalForm {
  status: number
  contentType: string
  body: string
}

const UNREADABLE: VenueRefusalForm = {
  status: 422,
  contentType: 'text/plain; charset=utf-8',
  body: 'Failed to deserialize the JSON body into the target type',
}

const TOO_MUCH: VenueRefusalForm = { status: 429, contentType: 'application/json', body: 'null' }

/** The venue's form of a refusal; null where ours has to do. */
export function venueRefusal({ refused }: Refusal): VenueRefusalForm | null {
  switch (refused) {
    case 'missing':
    case 'invalid':
    case 'body':
    case 'infoType':
      return UNREADABLE
    case 'weight':
      return TOO_MUCH
    default:
      return null
  }
}
