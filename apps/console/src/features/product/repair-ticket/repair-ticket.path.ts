/** A ticket by its id in the address, so that a notice or a link shows it at once. */
export const ticketPath = (id: string) => `/product/repairTicket?ticket=${id}`
