import { meterValue } from './meter.ts'
import { dateTime, int, list, oneOf, record, text } from './schema.ts'
import { connector, dataTransfer, idTagInfo, idToken, nothing, realConnector, status } from './values.ts'

/** Calls from a charge point. */
export const fromChargePoint = {
  Authorize: { req: record({ idTag: idToken }, {}), conf: record({ idTagInfo }, {}) },
  BootNotification: {
    req: record(
      { chargePointVendor: text(20), chargePointModel: text(20) },
      {
        chargePointSerialNumber: text(25),
        chargeBoxSerialNumber: text(25),
        firmwareVersion: text(50),
        iccid: text(20),
        imsi: text(20),
        meterType: text(25),
        meterSerialNumber: text(25),
      },
    ),
    conf: record({ status: oneOf('Accepted', 'Pending', 'Rejected'), currentTime: dateTime, interval: int() }, {}),
  },
  DataTransfer: dataTransfer,
  DiagnosticsStatusNotification: {
    req: status('Idle', 'Uploaded', 'UploadFailed', 'Uploading'),
    conf: nothing,
  },
  FirmwareStatusNotification: {
    req: status('Downloaded', 'DownloadFailed', 'Downloading', 'Idle', 'InstallationFailed', 'Installing', 'Installed'),
    conf: nothing,
  },
  Heartbeat: { req: nothing, conf: record({ currentTime: dateTime }, {}) },
  MeterValues: {
    req: record({ connectorId: connector, meterValue: list(meterValue) }, { transactionId: int() }),
    conf: nothing,
  },
  SecurityEventNotification: {
    req: record({ type: text(50), timestamp: dateTime }, { techInfo: text(255) }),
    conf: nothing,
  },
  StartTransaction: {
    req: record(
      { connectorId: realConnector, idTag: idToken, meterStart: int(), timestamp: dateTime },
      { reservationId: int() },
    ),
    conf: record({ idTagInfo, transactionId: int() }, {}),
  },
  StatusNotification: {
    req: record(
      {
        connectorId: connector,
        errorCode: oneOf(
          'ConnectorLockFailure',
          'EVCommunicationError',
          'GroundFailure',
          'HighTemperature',
          'InternalError',
          'LocalListConflict',
          'NoError',
          'OtherError',
          'OverCurrentFailure',
          'PowerMeterFailure',
          'PowerSwitchFailure',
          'ReaderFailure',
          'ResetFailure',
          'UnderVoltage',
          'OverVoltage',
          'WeakSignal',
        ),
        status: oneOf(
          'Available',
          'Preparing',
          'Charging',
          'SuspendedEVSE',
          'SuspendedEV',
          'Finishing',
          'Reserved',
          'Unavailable',
          'Faulted',
        ),
      },
      { info: text(50), timestamp: dateTime, vendorId: text(255), vendorErrorCode: text(50) },
    ),
    conf: nothing,
  },
  StopTransaction: {
    req: record(
      { transactionId: int(), timestamp: dateTime, meterStop: int() },
      {
        idTag: idToken,
        reason: oneOf(
          'EmergencyStop',
          'EVDisconnected',
          'HardReset',
          'Local',
          'Other',
          'PowerLoss',
          'Reboot',
          'Remote',
          'SoftReset',
          'UnlockCommand',
          'DeAuthorized',
        ),
        transactionData: list(meterValue),
      },
    ),
    conf: record({}, { idTagInfo }),
  },
} as const
