import { Navigate, useLocation, useParams } from 'react-router'
import { ownPath } from '../../kit/routing/own-path.ts'

/** /redirect/{path} remounts the page at {path}. */
export default function RedirectPage() {
  const { '*': path = '' } = useParams()
  const { search, hash } = useLocation()
  return <Navigate replace to={ownPath(`/${path}${search}${hash}`, '/')} />
}
