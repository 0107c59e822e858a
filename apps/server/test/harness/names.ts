/** Two runs on one machine must not meet: CI sets another name. */
export const runName = process.env['TEST_RUN'] ?? 'wattdeck_test'
export const templateDatabase = `${runName}_template`
