/**
 * Node flags of a worker. V8 delays garbage collection while the machine has memory, which a worker shares with other
 * processes. Jobs process data in pages and chunks that fit within these limits.
 */
export const workerFlags = ['--max-old-space-size=192', '--max-semi-space-size=8']
