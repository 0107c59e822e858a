import { storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { Link } from 'react-router'
import { mayCall } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import * as cells from '../../../kit/display/cells.tsx'

/** The number of a card, as a link to the card for a user who may open it. */
export function CardLink({ cardNo }: { cardNo: string | null }) {
  const user = useUser()
  if (cardNo === null || !mayCall(user, storedCard.list.access)) return cells.text(cardNo)
  return <Link to={`/operating/storedCard?keyword=${cardNo}`}>{cardNo}</Link>
}
