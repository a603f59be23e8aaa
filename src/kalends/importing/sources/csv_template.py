"""An example of a table of events, to be filled in."""

TEMPLATE = (
    "ID,Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Time Zone,"
    "Event Venue Name,Venue Address,Venue City,Event Organizers,Event Category,Event Tags,Event Cost,Event Website,"
    "Event Featured Image,Event Description\r\n"
    "1,Spring concert,2027-03-20,19:30,2027-03-20,22:00,no,Europe/Paris,Town hall,1 Main Street,Lyon,"
    '"City orchestra, Town choir",Music,"outdoor, free",20 €,https://orchestra.example/spring,,'
    "The orchestra opens the season.\r\n"
    "2,Book fair,2027-04-10,,2027-04-11,,yes,,Market hall,,,,Books,,Free,,,\r\n"
)
