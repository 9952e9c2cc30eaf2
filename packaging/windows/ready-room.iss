; The installer for Windows: for one user without asking for an administrator, or for all.
; Run by `packaging/dev.py package windows`, which gives Version, Folder, Icons and OutputName.

#define Name "Ready Room"
#define Program "ready-room.exe"

[Setup]
AppId={{6E1B7C0B-6A55-4D0B-9B61-7F6F0C1B2C4E}
AppName={#Name}
AppVersion={#Version}
AppPublisher=The Ready Room developers
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2
DefaultDirName={autopf}\{#Name}
DisableProgramGroupPage=yes
LicenseFile={#Folder}\LICENSE
OutputBaseFilename={#OutputName}
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
SetupIconFile={#Icons}\ready-room.ico
SolidCompression=yes
TimeStampsInUTC=yes
UninstallDisplayIcon={app}\{#Program}
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[InstallDelete]
; Files that only an older version had would still be loaded.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Folder}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\{#Name}"; Filename: "{app}\{#Program}"

[Registry]
Root: HKA; Subkey: "Software\Classes\readyroom"; ValueType: string; ValueData: "URL:{#Name}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\readyroom"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\readyroom\shell\open\command"; ValueType: string; ValueData: """{app}\{#Program}"" ""%1"""

[Run]
Filename: "{app}\{#Program}"; Description: "{cm:LaunchProgram,{#Name}}"; Flags: nowait postinstall skipifsilent
