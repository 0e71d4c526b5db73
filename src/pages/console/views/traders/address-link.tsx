/** A trader's address, which leads to his page. */
import { shortAddress } from '../../shell/formats.ts'
import { linkTo } from '../../shell/route.ts'

export function AddressLink({ address }: { address: string }) {
  return (
    <a class="mono" href={linkTo('traders', [address])} title={address}>
      {shortAddress(address)}
    </a>
  )
}
