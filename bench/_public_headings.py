"""Sheets with headings that were found in public data, each with its source.

Only the names of the columns are theirs; every value is made up. A register of
consents holds no date to answer by: the last column, where there is one called so, is
what an office would add before it asks iwi. The names of the registers are those that
a public program reads from each council's layer at the address given.
"""

from __future__ import annotations

from collections.abc import Iterator

from _more_offices import Means, book, client, days_from, own, text_dates
from _offices import PEOPLE, Office, first_name, surname

ADDED: dict[str, Means] = {"Feedback due": "respond_by_date"}
LAYERS = "ArcGIS REST layer, "


def public_offices() -> Iterator[Office]:
    """Make the workbooks."""
    yield from _registers()
    yield from _more_registers()
    yield from _works()
    yield from _people()


def _registers() -> Iterator[Office]:
    yield book(
        "Bay of Plenty Regional Council, consents",
        "boprc.csv",
        {
            "ConsentID": "reference",
            "ProjectNumber": own("88121"),
            "Status": own("Current"),
            "PrimaryConsentHolder": client("J & K Brown"),
            "PrimaryConsentHolderAddress": own("PO Box 12, Tauira"),
            "LocalAuthority": own("Tauira District Council"),
            "SiteAddress": "address",
            "Purpose": "description",
            "Subtype": "type",
            "Category": own("Water"),
            "ComplianceOfficer": own("Mere Pene"),
            "GrantedDate": days_from("start_date", -9),
            "LodgedDate": days_from("start_date", -160),
            "ExpiryDate": "end_date",
            "StatusDate": days_from("start_date", -8),
            "PublicDocumentsLink": own("https://example.org/docs/7"),
            **ADDED,
        },
        source=LAYERS + "gis.boprc.govt.nz/server2/rest/services/BayOfPlentyMaps/"
        "ConsentsandCompliance/MapServer/45",
    )
    yield book(
        "Hawke's Bay Regional Council, authorisations",
        "hbrc.csv",
        {
            "AuthorisationIRISID": "reference",
            "ApplicationHistoricID": own("WP120034"),
            "WorkflowID": own("APP-120034"),
            "AuthorisationCurrentStatus": own("Current"),
            "LocalAuthority": own("Tauira District Council"),
            "AuthorisationPropertyAddress": "address",
            "AuthPrimaryPurpose": "description",
            "AuthorisationType": "type",
            "AuthPrimaryIndustry": own("Horticulture"),
            "DecisionServedDate": days_from("start_date", -9),
            "ExpiryDate": "end_date",
            "WellNumber": own("15003"),
            "DocumentLink": own("https://example.org/docs/7"),
            **ADDED,
        },
        source=LAYERS + "gis.hbrc.govt.nz/server/rest/services/ExternalServices/"
        "Regulatory/MapServer/1",
    )
    yield book(
        "Northland Regional Council, consents",
        "nrc.csv",
        {
            "IRISID": "reference",
            "AuthorisationName": "name",
            "CurrentStatus": own("Current"),
            "ActivityType": "type",
            "ActivitySubType": own("Bore"),
            "X": "easting",
            "Y": "northing",
            **ADDED,
        },
        source=LAYERS + "services2.arcgis.com/J8errK5dyxu7Xjf7/arcgis/rest/services/"
        "Resource_Consents_/FeatureServer/0",
    )
    yield book(
        "Horizons Regional Council, regulatory activity",
        "hrc.csv",
        {
            "ATH_BUSID": "reference",
            "ATH_STATUS": own("Current"),
            "ATH_PURPRIM": "description",
            "ATH_TYPE": "type",
            "ATH_INDPRIM": own("Dairy"),
            "ATH_GRANTED": days_from("start_date", -9),
            "ATH_EXPIRY": "end_date",
            **ADDED,
        },
        source=LAYERS + "services1.arcgis.com/VuN78wcRdq1Oj69W/ArcGIS/rest/services/"
        "OpenData_RegulatoryActivity/FeatureServer/3",
    )


def _more_registers() -> Iterator[Office]:
    yield book(
        "Waikato Regional Council, active consents",
        "wrc.csv",
        {
            "AUTHORISATIONIRISID": "reference",
            "APPLICATIONIRISID": own("APP120034"),
            "STATUS": own("Current"),
            "HOLDERS": client("J & K Brown"),
            "AUTHORISATION_ADDRESS": "address",
            "PRIMARY_INDUSTRY_PURPOSE": "description",
            "ACTIVITY_TYPE": "type",
            "ACTIVITY_SUBTYPE": own("Bore"),
            "COMMENCEMENT_DATE": "start_date",
            "EXPIRY_DATE": "end_date",
            **ADDED,
        },
        source=LAYERS + "services.arcgis.com/2bzQ0Ix3iO7MItUa/arcgis/rest/services/"
        "WDP_AUTH_ACTIVE_RESOURCE_CONSENTS_EXT/FeatureServer/0",
    )
    yield book(
        "Taranaki Regional Council, consents",
        "trc.csv",
        {
            "ConsentNo": "reference",
            "Status": own("Current"),
            "AuthorisationDescription": "description",
            "ActivityType": "type",
            "Activity_Subtype": own("Bore"),
            "CommencementDate": "start_date",
            "ExpiryDate": "end_date",
            **ADDED,
        },
        source=LAYERS + "services.arcgis.com/MMPHUPU6MnEt0lEK/arcgis/rest/services/"
        "Ressource_Consents/FeatureServer/7",
    )
    yield book(
        "Greater Wellington Regional Council, consents",
        "gwrc.csv",
        text_dates(
            {
                "RC_CON_FILENO": "reference",
                "RCstatus": own("Active"),
                "Purpose_Desc": "description",
                "ConsentType": "type",
                "RC_APT_DESC": own("CP - DISCHARGE TO LAND"),
                "commencement_date": "start_date",
                "ExpiredDate": "end_date",
                "DMfolder": own("WGN300012"),
                **ADDED,
            },
            "%d/%m/%Y",
        ),
        source=LAYERS + "mapping.gw.govt.nz/arcgis/rest/services/GW/"
        "Resource_Consents_P/MapServer/0",
    )
    yield book(
        "Gisborne District Council, consents",
        "gdc.csv",
        {
            "ConsentApplication": "reference",
            "LegacyId": own("LU-2016-00777-00"),
            "ConsentStatus": own("Active"),
            "SiteAddress": "address",
            "ConsentDetails": "description",
            "ConsentType": "type",
            "DateReceived": days_from("start_date", -160),
            "DecisionDate": days_from("start_date", -9),
            "ExpiryDate": "end_date",
            "BoreId": own("GPB101"),
            **ADDED,
        },
        source=LAYERS + "maps.gdc.govt.nz/hosting/rest/services/Property/"
        "resource_consents_ext/MapServer/0",
    )


def _works() -> Iterator[Office]:
    yield book(
        "planned outages of the electricity industry",
        "pocp.csv",
        {
            "Outage ID": "reference",
            "Outage start time": "start_date",
            "Outage end time": "end_date",
            "Status": own("TENTATIVE"),
            "Asset type": own("TRANSMISSION"),
            "Recall time": own("04:00:00"),
            "Coordination Notes": own("None"),
            "Outage block": "name",
            "Outage time type": own("continuous"),
            "Megawatt output loss": own("0"),
            "Reason for outage": "description",
            "Asset Description": own("110 kV circuit"),
            "GIP/GXP": own("NPL"),
            **ADDED,
        },
        source="pocp.redspider.co.nz/api/csv/v2",
    )
    yield book(
        "highway events of Waka Kotahi",
        "events.csv",
        {
            "id": "reference",
            "eventType": "type",
            "eventDescription": "description",
            "eventComments": own("Expect delays"),
            "startDate": "start_date",
            "endDate": "end_date",
            "latitude": "latitude",
            "longitude": "longitude",
            **ADDED,
        },
        source="clawhub.ai/api/v1/skills/nzta-traffic, references/api-endpoints.md "
        "(id, eventType, eventDescription, eventComments); the dates and degrees are "
        "added",
    )
    yield book(
        "street addresses of LINZ with works added",
        "addresses.csv",
        {
            "address_id": own("2133210"),
            "full_address": "address",
            "full_road_name": own("Example Road"),
            "suburb_locality": own("Tauira"),
            "town_city": own("Tauira"),
            "territorial_authority": own("Tauira District"),
            "gd2000_xcoord": "longitude",
            "gd2000_ycoord": "latitude",
            "Works": "name",
            "Scope": "description",
            "Type": "type",
            "Works from": "start_date",
            "Works to": "end_date",
            **ADDED,
        },
        source="NZ street address names of LINZ (full_address, gd2000_xcoord, …) as "
        "public programs map them; the columns from Works on are added",
    )


def _people() -> Iterator[Office]:
    yield book(
        "staff directory, BambooHR",
        "bamboohr.csv",
        {
            "Employee ID": own("204"),
            "Display name": "name",
            "First name": ("~name", first_name),
            "Last name": ("~name", surname),
            "Preferred name": own("Sam"),
            "Gender": own(""),
            "Job title": "org_role",
            "Work phone": own("09 301 0101"),
            "Mobile phone": own("021 555 0142"),
            "Work Email": "email",
            "Department": "org_department",
            "Location": own("Tauira"),
            "Division": own("Operations"),
        },
        kind=PEOPLE,
        source="docs.workato.com/connectors/bamboo-hr/"
        "list-employees-in-directory-action.html",
    )
    yield book(
        "employees, Oracle performance management",
        "employees.csv",
        {
            "Action": own("C"),
            "E-mail address": "email",
            "Object ID": own("5501"),
            "First Name": ("name", first_name),
            "Last Name": ("name", surname),
            "Employee Number": own("10442"),
            "Title": "org_role",
            "Department": "org_department",
            "Manager": own("Sue Ruru"),
            "Work phone": own("09 301 0101"),
            "Cell phone": own("021 555 0142"),
        },
        kind=PEOPLE,
        source="docs.oracle.com/cd/E36352_01/epm.1112/hps_admin/apds02s03s05.html",
    )
    yield book(
        "users of a directory, Microsoft",
        "directory.csv",
        {
            "DisplayName": "name",
            "UserPrincipalName": "email",
            "Mail": "~email",
            "AccountEnabled": own("True"),
            "UserType": own("Member"),
            "CompanyName": own("Tauira District Council"),
            "Department": "org_department",
            "JobTitle": "org_role",
            "StreetAddress": own("1 Example Street"),
            "City": own("Tauira"),
            "PostalCode": own("3040"),
            "Mobile": own("021 555 0142"),
            "Office": own("Level 2"),
        },
        kind=PEOPLE,
        source="powershellgallery.com/packages/Posh365/0.9.154, "
        "Get-AzureActiveDirectoryUser.ps1",
    )
