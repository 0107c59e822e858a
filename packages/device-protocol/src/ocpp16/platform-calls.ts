import { anything, dateTime, flag, int, list, oneOf, record, text } from './schema.ts'
import { connector, dataTransfer, idTagInfo, idToken, nothing, realConnector, status } from './values.ts'

const availability = oneOf('Inoperative', 'Operative')
const listed = record({ idTag: idToken }, { idTagInfo })
const configured = record({ key: text(50), readonly: flag }, { value: text(500) })

/** Calls from the platform. */
export const fromPlatform = {
  CancelReservation: { req: record({ reservationId: int() }, {}), conf: status('Accepted', 'Rejected') },
  ChangeAvailability: {
    req: record({ connectorId: connector, type: availability }, {}),
    conf: status('Accepted', 'Rejected', 'Scheduled'),
  },
  ChangeConfiguration: {
    req: record({ key: text(50), value: text(500) }, {}),
    conf: status('Accepted', 'Rejected', 'RebootRequired', 'NotSupported'),
  },
  ClearCache: { req: nothing, conf: status('Accepted', 'Rejected') },
  DataTransfer: dataTransfer,
  GetConfiguration: {
    req: record({}, { key: list(text(50)) }),
    conf: record({}, { configurationKey: list(configured), unknownKey: list(text(50)) }),
  },
  GetLocalListVersion: { req: nothing, conf: record({ listVersion: int() }, {}) },
  RemoteStartTransaction: {
    req: record({ idTag: idToken }, { connectorId: connector, chargingProfile: anything }),
    conf: status('Accepted', 'Rejected'),
  },
  RemoteStopTransaction: { req: record({ transactionId: int() }, {}), conf: status('Accepted', 'Rejected') },
  ReserveNow: {
    req: record(
      { connectorId: connector, expiryDate: dateTime, idTag: idToken, reservationId: int() },
      { parentIdTag: idToken },
    ),
    conf: status('Accepted', 'Faulted', 'Occupied', 'Rejected', 'Unavailable'),
  },
  Reset: { req: record({ type: oneOf('Hard', 'Soft') }, {}), conf: status('Accepted', 'Rejected') },
  SendLocalList: {
    req: record(
      { listVersion: int(), updateType: oneOf('Differential', 'Full') },
      { localAuthorizationList: list(listed) },
    ),
    conf: status('Accepted', 'Failed', 'NotSupported', 'VersionMismatch'),
  },
  TriggerMessage: {
    req: record(
      {
        requestedMessage: oneOf(
          'BootNotification',
          'DiagnosticsStatusNotification',
          'FirmwareStatusNotification',
          'Heartbeat',
          'MeterValues',
          'StatusNotification',
        ),
      },
      { connectorId: realConnector },
    ),
    conf: status('Accepted', 'Rejected', 'NotImplemented'),
  },
  UnlockConnector: {
    req: record({ connectorId: realConnector }, {}),
    conf: status('Unlocked', 'UnlockFailed', 'NotSupported'),
  },
} as const
