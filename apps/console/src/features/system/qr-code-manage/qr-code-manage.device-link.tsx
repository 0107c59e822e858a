import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'

export const DeviceLink = ({ id, no }: { id: string | null; no: string | null }) =>
  id === null || no === null ? cells.dash : <Link to={`/product/deviceDetail?id=${id}`}>{no}</Link>
