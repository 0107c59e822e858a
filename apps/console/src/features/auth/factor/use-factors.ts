import { useQuery } from '@tanstack/react-query'
import { login } from '@wattdeck/contract/auth/login.ts'
import { call } from '../../../kit/api/api.ts'

/** The second factors of the user. Fetched again for each step, because another account may be logging in. */
export const useFactors = () =>
  useQuery({
    queryKey: [login.factors.path],
    queryFn: async () => (await call(login.factors)).data,
    staleTime: Infinity,
    gcTime: 0,
  })
