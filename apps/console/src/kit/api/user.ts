import { session, type UserInfo } from '@wattdeck/contract/auth/session.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from './api.ts'
import { queryClient, routeKey } from './queries.ts'

const userQuery = {
  queryKey: routeKey(session.userInfo),
  queryFn: async () => (await call(session.userInfo)).data,
  staleTime: Infinity,
}

/** The user of this session; the guard loads it before it renders a page. */
export const useUser = (): UserInfo | undefined => useQuery({ ...userQuery, enabled: false }).data

export const cachedUser = () => queryClient.getQueryData<UserInfo>(userQuery.queryKey)
export const loadUser = () => queryClient.fetchQuery(userQuery)
export const reloadUser = () => queryClient.fetchQuery({ ...userQuery, staleTime: 0 })
export const cacheUser = (user: UserInfo) => queryClient.setQueryData<UserInfo>(userQuery.queryKey, user)
