export const homePath = '/dashboard/workTable'
export const loginPath = '/login'
export const overduePath = '/overdue'
export const helpPath = '/helpDocument'
